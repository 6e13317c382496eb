package client

import (
	"fmt"
	"net/http"
)

type Client struct {
	baseURL string
	http    *http.Client
}

type Option func(*Client)

func WithBaseURL(url string) Option {
	return func(c *Client) { c.baseURL = url }
}

func WithHTTPClient(h *http.Client) Option {
	return func(c *Client) {
		c.http = h
	}
}

func NewClient(opts ...Option) *Client {
	c := &Client{http: http.DefaultClient}
	for _, opt := range opts {
		opt(c)
	}
	return c
}

func (c *Client) User(id string) (*http.Response, error) {
	return c.http.Get(fmt.Sprintf("%s/users/%s", c.baseURL, id))
}

func (c *Client) Add() (*http.Response, error) {
	req, err := http.NewRequest(http.MethodPost, c.baseURL+"/users", nil)
	if err != nil {
		return nil, err
	}
	return c.http.Do(req)
}
