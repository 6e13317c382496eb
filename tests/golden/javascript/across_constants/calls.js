import other, { API_ROOT, Paths } from './constants';
import { PEOPLE } from './again';
const config = require('./config');

function load(id) {
	fetch(API_ROOT + '/items/' + id);
	fetch(`${PEOPLE}/${id}`, { method: 'DELETE' });
	fetch(config.base + config.paths.items);
	fetch(API_ROOT + Paths.CARTS);
	fetch(API_ROOT + other.health);
	fetch(unknown.base + '/nothing');
}
