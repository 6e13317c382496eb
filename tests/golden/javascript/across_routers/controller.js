exports.show = (req, res) => res.end();
