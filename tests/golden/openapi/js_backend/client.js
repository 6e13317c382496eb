// a client of the same document: no handler
export async function updatePet(id, pet) {
  return fetch(`/pets/${id}`, { method: "PUT", body: JSON.stringify(pet) });
}
