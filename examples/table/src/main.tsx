import { render } from "preact";
import { App } from "./app/App";
import "./style/base.css";
import "./style/lobby.css";
import "./style/match.css";
import "./style/cards.css";
import "./style/verraeter.css";
import "./style/kabale.css";
import "./style/inside-job.css";

const root = document.getElementById("app");
if (root !== null) {
  render(<App />, root);
}
