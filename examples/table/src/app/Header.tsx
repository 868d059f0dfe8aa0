import { say } from "../words";
import { LANGUAGES, language } from "../words/language";

interface Props {
  player: { name: string } | null;
  atLobby: boolean;
  forget: () => void;
  speak: (language: string) => void;
}

export function Header({ player, atLobby, forget, speak }: Props) {
  const leave = (): void => {
    if (player !== null && confirm(say("name.forget.sure", { name: player.name }))) {
      forget();
    }
  };
  return (
    <header class="top">
      <a class="brand" href="#/">
        <img src="./icon.svg" alt="" width="32" height="32" />
        <span>
          <strong>{say("title")}</strong>
          <small>{say("tagline")}</small>
        </span>
      </a>
      <nav>
        {!atLobby && <a href="#/">{say("back")}</a>}
        {player !== null && (
          <span class="who">
            {say("name.you", { name: player.name })}
            <button type="button" class="quiet" onClick={leave}>
              {say("name.forget")}
            </button>
          </span>
        )}
        <label class="language">
          <span class="unseen">{say("language")}</span>
          <select value={language()} onChange={(event) => speak(event.currentTarget.value)}>
            {Object.entries(LANGUAGES).map(([code, name]) => (
              <option key={code} value={code} lang={code} selected={code === language()}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </nav>
    </header>
  );
}
