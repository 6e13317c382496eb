exports.getPetById = async function (c, req, res) {
  return res.json({ id: c.request.params.id });
};

const createPet = async (c, req, res) => res.status(201).json({});
module.exports.createPet = createPet;
