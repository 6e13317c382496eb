export const endpoint = process.env.API_URL ?? 'http://books:4000/graphql';
