package com.example;

@Service
public class OwnerDelegate implements OwnersApiDelegate {
    @Override
    public ResponseEntity<Owner> getOwner(Long ownerId) {
        return ResponseEntity.ok(new Owner());
    }
}
