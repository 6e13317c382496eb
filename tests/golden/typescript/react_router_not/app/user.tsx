export default function User() { return <main />; }
