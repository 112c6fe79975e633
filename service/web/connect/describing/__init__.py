"""The description of the API: an OpenAPI document and pages, from the contract and its comments."""
