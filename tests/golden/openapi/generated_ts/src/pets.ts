import { PetApi } from "./api/pet-api";

const api = new PetApi({ basePath: "http://pets" });

export async function show(id: number) {
  return (await api.getPetById(id)).data;
}

export class Shelter {
  constructor(private readonly pets: PetApi) {}

  take(pet: Pet) {
    return this.pets.addPet(pet);
  }
}
