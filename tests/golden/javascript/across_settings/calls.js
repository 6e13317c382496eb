const config = require('./config');

function all(id) {
	fetch(`${config.users}/users/${id}`);
	fetch(config.carts + '/carts');
	fetch(config.stock + '/items', { method: 'PUT' });
	fetch(process.env.REACT_APP_API + '/own');
	fetch(process.env.NOWHERE + '/nothing');
}
