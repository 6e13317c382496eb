import { type RouteConfig, index, route } from '@react-router/dev/routes';

export default [
  route('users/:id', './user.tsx'),
] satisfies RouteConfig;
