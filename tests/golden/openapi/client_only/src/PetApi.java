package com.example.client;

/** A client and its interface, as generators make them: neither answers. */
public class PetApi {
    public Pet getPetById(Long petId) {
        return apiClient.invoke("/pet/{petId}", "GET");
    }

    public void addPet(Pet pet) {
        apiClient.invoke("/pet", "POST");
    }
}

interface PetsClientApi extends StoreApi {
    Pet getPetById(Long petId);
}
