import { type RouteConfig, index, layout, prefix, route } from '@react-router/dev/routes';
import { API } from './paths';

export default [
  index('./home.tsx'),
  route('about', './about.tsx'),
  route('write-to-us', 'routes/contact.tsx'),
  layout('./layouts/main.tsx', [
    route('users/:id', './users/one.tsx', [
      route('orders', './users/orders.tsx'),
      index('./users/profile.tsx'),
    ]),
  ]),
  ...prefix('teams', [
    index('./users/teams.tsx'),
    route(':team/files/*', './users/files.tsx'),
  ]),
  route(API, './api.ts'),
] satisfies RouteConfig;
