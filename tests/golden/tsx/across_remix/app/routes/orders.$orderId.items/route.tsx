import { one } from './queries';

async function loader() {
  return one();
}

export { loader };
