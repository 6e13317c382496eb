// what is not exported, or called otherwise, answers nothing
const loader = () => null;
export const loaders = [loader];
export const actionCreator = () => ({ type: 'users/add' });

export function method(x: Shape) {
  return x.kind === 'DELETE';
}
