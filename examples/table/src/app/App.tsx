import { useEffect, useState } from "preact/hooks";
import { renewToken } from "../api/matches";
import { JoinPage } from "../lobby/JoinPage";
import { Lobby } from "../lobby/Lobby";
import { MatchPage } from "../match/MatchPage";
import { forgetPlayer, storePlayer, storedPlayer } from "../state/storage";
import { say } from "../words";
import { chooseLanguage, language } from "../words/language";
import { Header } from "./Header";
import { NameForm } from "./NameForm";
import { goToLobby, useRoute } from "./route";

const A_WEEK = 7 * 24 * 60 * 60 * 1000;

/** A token is renewed before it ends: it is the player, and there is no other way back to a match. */
function useFreshToken(player: { ends: string } | null): void {
  useEffect(() => {
    if (player !== null && Date.parse(player.ends) - Date.now() < A_WEEK) {
      renewToken()
        .then(storePlayer)
        .catch(() => undefined); // refused: then the next request says why
    }
  }, [player]);
}

export function App() {
  const [player, setPlayer] = useState(storedPlayer);
  const [words, setWords] = useState(language);
  const route = useRoute();
  useFreshToken(player);
  useEffect(() => {
    document.documentElement.lang = words;
  }, [words]);

  const forget = (): void => {
    forgetPlayer();
    setPlayer(null);
    goToLobby();
  };
  const speak = (wanted: string): void => {
    chooseLanguage(wanted);
    setWords(language());
  };
  const page = (): preact.JSX.Element => {
    if (player === null) {
      return <NameForm named={() => setPlayer(storedPlayer())} />;
    }
    if (route.page === "join") {
      return <JoinPage key={route.code} code={route.code} />;
    }
    return route.page === "match" ? (
      <MatchPage key={route.match} id={route.match} ended={forget} />
    ) : (
      <Lobby ended={forget} />
    );
  };
  return (
    <div key={words} class="app">
      <Header player={player} atLobby={route.page === "lobby"} forget={forget} speak={speak} />
      <main>{page()}</main>
      <footer>
        <a href="/docs">{say("docs")}</a>
      </footer>
    </div>
  );
}
