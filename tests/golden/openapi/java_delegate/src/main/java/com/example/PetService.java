package com.example;

@Service
public class PetService {
    public List<Pet> listPets() {
        return List.of();
    }

    public Pet getPetById(Long petId) {
        return null;
    }

    public void removePet(Long petId) {
    }
}
