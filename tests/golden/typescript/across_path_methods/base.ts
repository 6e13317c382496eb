export abstract class Paths {
  public pathOf(name: string, below = true) {
    let path = '/' + name;
    below ? (path += '/:parcel') : null;
    return path;
  }
}
