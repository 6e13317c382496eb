// The paths of a menu, as @react-router/dev/routes has them: their files have no loader.
import { route, index } from './builder';

export default [
  route('users/:id', './user.tsx'),
  index('./home.tsx'),
];
