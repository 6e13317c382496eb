import axios from 'axios';
import * as settings from './settings';

// A word that stands for a base is no part of the path.
export const list = () => axios.get(settings.get('root') + 'trees');
export const one = (id: string) => axios.get(`${settings.get('root')}trees/${id}`);
export const cut = (id: string) => axios.delete(settings.service + '/trees/' + id);

// A chain that is split over lines.
export const plant = () =>
	axios
		.create()
		.post(settings.get('root') + 'trees/plant', {});

// Words that are parts of the path: a plural, and a version.
export const plural = () => axios.get(`${settings.area}s/tall`);
export const versioned = () => axios.get(settings.version + '/leaves');
