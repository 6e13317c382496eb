export const stock = 'http://stock:80';
