export async function loader() { return []; }
export default function Home() { return <main />; }
