// Shows the contract with Swagger UI, without asking any other host for anything.
"use strict";

window.ui = SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#contract",
  layout: "BaseLayout",
  deepLinking: true,
  displayOperationId: true,
  displayRequestDuration: true,
  // The token survives a reload, so that trying things out need not begin anew each time.
  persistAuthorization: true,
  // Some two hundred schemas are shown where they are used; below, their list begins folded.
  defaultModelsExpandDepth: 0,
  // No badge: it would send the address of this service to a validator elsewhere.
  validatorUrl: null,
});
