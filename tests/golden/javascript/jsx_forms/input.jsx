export default function F({id}) {
  return <div><form method="post" action="/login"><input/></form>
  <form action={`/users/${id}`} method="POST"></form>
  <form action={formAction}></form>
  <form action="/search"></form>
  <a href="/logout">x</a></div>;
}
