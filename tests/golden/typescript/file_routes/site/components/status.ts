export default (req, res) => res.json({ not: 'a route: outside of pages/api' });
