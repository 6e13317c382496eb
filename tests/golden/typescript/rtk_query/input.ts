import { createApi, fetchBaseQuery } from '@reduxjs/toolkit/query/react';

export const api = createApi({
  reducerPath: 'api',
  baseQuery: fetchBaseQuery({ baseUrl: '/api/v1' }),
  endpoints: (build) => ({
    users: build.query<User[], void>({ query: () => 'users' }),
    user: build.query<User, string>({ query: (id) => `users/${id}` }),
    add: build.mutation<User, User>({ query: (body) => ({ url: 'users', method: 'POST', body }) }),
    other: build.query({ queryFn: () => ({ data: 'nothing' }) }),
  }),
});
const q = db.query({ query: 'nothing' });
