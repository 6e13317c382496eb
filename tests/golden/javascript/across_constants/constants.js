export const API_ROOT = 'https://api.example.com/v1';
export const USERS = `${API_ROOT}/users`;
export class Paths {
	static CARTS = '/carts';
}
export default { health: '/health' };
