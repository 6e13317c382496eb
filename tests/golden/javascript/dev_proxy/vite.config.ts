import { defineConfig } from 'vite';
import { stock } from './targets';

const users = process.env.USERS_URL || 'http://localhost:8081';

export default defineConfig({
  server: {
    port: 3000,
    proxy: {
      '/api/users': {
        target: users,
        changeOrigin: true,
        rewrite: (path) => path.replace(/^\/api/, ''),
      },
      '/auth': 'http://auth:7000/v1',
      '^/v\\d+/items': { target: stock, pathRewrite: { '^/v\\d+': '/x' } },
      '/socket': { ws: true },
    },
  },
});
