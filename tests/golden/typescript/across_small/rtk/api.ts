import { createApi, fetchBaseQuery } from '@reduxjs/toolkit/query/react';
import { BASE } from './base';

export const api = createApi({
  baseQuery: fetchBaseQuery({ baseUrl: BASE }),
  endpoints: (build) => ({
    user: build.query<User, string>({ query: (id) => `users/${id}` }),
    add: build.mutation<User, User>({ query: (body) => ({ url: 'users', method: 'POST', body }) }),
  }),
});
