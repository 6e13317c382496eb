package main

type Client struct{}

func (c *Client) Send(text string) {}

func Open() {}
