export const loader = async () => null;

export default function Page() { return <main />; }
