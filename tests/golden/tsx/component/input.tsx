import React from "react";

interface Props { title: string }

/** Shows a title. */
export function Title({ title }: Props) {
  const onClick = () => alert(title);
  return <h1 onClick={onClick}>{title}</h1>;
}

export const List: React.FC<Props> = ({ title }) => {
  return (
    <ul>
      <li>{title}</li>
    </ul>
  );
};
