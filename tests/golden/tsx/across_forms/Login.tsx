import { PATHS } from './paths';

export const Login = () => (
  <form method="post" action={`${PATHS.session}/new`}>
    <button>in</button>
  </form>
);
