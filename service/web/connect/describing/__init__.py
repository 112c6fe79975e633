"""What the API is: an OpenAPI document and pages, made from the contract and its comments."""
