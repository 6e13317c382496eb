export const environment = {
  production: false,
  api: 'https://api.example.com/v1',
};
