package shop

func orders() { get("orders") }
