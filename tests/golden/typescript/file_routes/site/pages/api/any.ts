export default (req, res) => res.json({ method: 'any' });
