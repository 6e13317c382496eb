package acme;

public class Account {
  private String owner;

  public String getOwner() { return owner; }
  public boolean isOpen() { return true; }
  public void setOwner(String owner) { this.owner = owner; }
}
