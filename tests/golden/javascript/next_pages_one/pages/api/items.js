export default function handler(req, res) {
  if (req.method === 'POST') {
    return add(req, res);
  }
  res.status(405).end();
}
