import type { Problem } from "../api/types";

/** What the service says about a refusal: it is written for people, in the reader's language. */
export function ProblemNote({ problem }: { problem: Problem | null }) {
  return (
    <div role="alert">
      {problem !== null && (
        <p class="problem">
          <strong>{problem.title}</strong> {problem.detail}{" "}
          {problem.errors?.map((error) => (
            <span key={error.pointer}>
              {error.pointer}: {error.detail}{" "}
            </span>
          ))}
        </p>
      )}
    </div>
  );
}
