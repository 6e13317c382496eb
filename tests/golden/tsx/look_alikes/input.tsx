// Forms that ask nothing over HTTP, or where nobody knows.
export function Page({ action }: Props) {
  return (
    <div>
      <form action={save}>
        <input formAction="/not-a-request-here" />
      </form>
      <form onSubmit={submit} method="post" />
      <Former action="/former" method="post" />
      <form action="mailto:me@example.com" />
      <form action="#top" />
      <Button action="/button">go</Button>
    </div>
  );
}
