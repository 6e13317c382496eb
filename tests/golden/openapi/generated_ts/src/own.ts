// not generated, though it sounds so
export class PetStore {
  getPetById(id: number) {
    return this.rows.get("/pets/" + id);
  }
}

export const load = (store: PetStore) => store.getPetById(1);
