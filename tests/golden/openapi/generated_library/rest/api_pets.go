package rest

import (
	"net/http"
	"net/url"
	"strings"
)

func (a *PetsAPIService) FindPetExecute(r ApiFindPetRequest) (*Pet, *http.Response, error) {
	var (
		localVarHTTPMethod = http.MethodGet
		localVarPostBody   any
	)
	localBasePath, err := a.client.cfg.ServerURLWithContext(r.ctx, "PetsAPIService.FindPet")
	localVarPath := localBasePath + "/pets/{id}"
	localVarPath = strings.Replace(localVarPath, "{"+"id"+"}", url.PathEscape(r.id), -1)
	req, err := a.client.prepareRequest(r.ctx, localVarPath, localVarHTTPMethod, localVarPostBody)
	return send(a.client, req, err)
}
