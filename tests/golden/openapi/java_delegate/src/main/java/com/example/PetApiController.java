package com.example;

import com.example.generated.PetApi;

@RestController
public class PetApiController implements PetApi {
    private final PetService service;

    @Override
    public ResponseEntity<List<Pet>> listPets() {
        return ResponseEntity.ok(service.listPets());
    }

    @Override
    public ResponseEntity<Pet> addPet(Pet pet) {
        return ResponseEntity.ok(pet);
    }

    @Override
    public ResponseEntity<Pet> getPetById(Long petId) {
        return ResponseEntity.ok(service.getPetById(petId));
    }
}
