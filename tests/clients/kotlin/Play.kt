// Plays a whole match of a game with the generated client, and with nothing but its types.
//
// Run as `PlayKt ADDRESS GAME SEATS SEED`. Every seat is a guest of its own. The moves are chosen by the seed.

import java.time.Duration
import kotlin.system.exitProcess
import okhttp3.OkHttpClient
import turncoat.apis.EventsApi
import turncoat.apis.GamesApi
import turncoat.apis.MatchesApi
import turncoat.apis.PlayersApi
import turncoat.infrastructure.ClientError
import turncoat.infrastructure.ClientException
import turncoat.infrastructure.Serializer
import turncoat.models.EventPage
import turncoat.models.GameDetails
import turncoat.models.GameId
import turncoat.models.InsideJobOptions
import turncoat.models.KabaleOptions
import turncoat.models.MatchCard
import turncoat.models.MatchStatus
import turncoat.models.NewInsideJobMatch
import turncoat.models.NewKabaleMatch
import turncoat.models.NewMatch
import turncoat.models.NewMove
import turncoat.models.NewPlayer
import turncoat.models.NewPlayerInMatch
import turncoat.models.NewVerraeterMatch
import turncoat.models.Problem
import turncoat.models.Replay
import turncoat.models.Result
import turncoat.models.VerraeterFirstStrategist
import turncoat.models.VerraeterOptions
import turncoat.models.View
import turncoat.models.Visibility

val http: OkHttpClient = OkHttpClient.Builder().readTimeout(Duration.ofSeconds(90)).build()

/** Everything that one player may ask for. */
class Player(address: String, token: String) {
    val matches = MatchesApi(address, http).apply { accessTokenProvider = { token } }
    val events = EventsApi(address, http).apply { accessTokenProvider = { token } }
    val games = GamesApi(address, http).apply { accessTokenProvider = { token } }
}

/** A match of a game, with options that are not the defaults. */
fun newMatch(game: String, seats: Int): NewMatch =
    when (game) {
        "verraeter" -> {
            val options = VerraeterOptions(firstStrategist = VerraeterFirstStrategist.left_of_start_player)
            val tag = NewVerraeterMatch.Game.verraeter
            NewMatch.VerraeterWrapper(NewVerraeterMatch(Visibility.`public`, tag, seats, options = options))
        }
        "kabale" -> {
            val options = KabaleOptions(witchSparesWitches = true)
            val tag = NewKabaleMatch.Game.kabale
            NewMatch.KabaleWrapper(NewKabaleMatch(Visibility.`public`, tag, seats, options = options))
        }
        "inside_job" -> {
            val options = InsideJobOptions(wagers = true, randomRoles = 1)
            val tag = NewInsideJobMatch.Game.inside_job
            NewMatch.InsideJobWrapper(NewInsideJobMatch(Visibility.`public`, tag, seats, options = options))
        }
        else -> throw IllegalArgumentException(game)
    }

/** What is the same on the cards of all games. */
class Card(val match: String, val status: MatchStatus, val waitingOn: List<Int>)

fun read(card: MatchCard): Card =
    when (card) {
        is MatchCard.VerraeterWrapper -> Card(card.value.match, card.value.status, card.value.waitingOn)
        is MatchCard.KabaleWrapper -> Card(card.value.match, card.value.status, card.value.waitingOn)
        is MatchCard.InsideJobWrapper -> Card(card.value.match, card.value.status, card.value.waitingOn)
    }

/** A match that has begun. */
fun sitDown(address: String, wanted: NewMatch, seats: Int, seed: Int): Match {
    val visitor = PlayersApi(address, http)
    val players = List(seats) { Player(address, visitor.createPlayer(NewPlayer("Guest $it")).token) }
    var card = read(players.first().matches.createMatch(wanted))
    for (player in players.drop(1)) {
        card = read(player.matches.joinMatch(card.match, NewPlayerInMatch()))
    }
    check(card.status == MatchStatus.playing) { card.status }
    return Match(card.match, players, seed)
}

/** One of the legal moves, as it is, for whatever is asked. */
fun answerTo(view: View, number: Int): NewMove? =
    when (view) {
        is View.VerraeterWrapper ->
            view.value.you?.decision?.let { NewMove(it.id, sendable(it.legalMoves[number % it.legalMoves.size])) }
        is View.KabaleWrapper ->
            view.value.you?.decision?.let { NewMove(it.id, sendable(it.legalMoves[number % it.legalMoves.size])) }
        is View.InsideJobWrapper ->
            view.value.you?.decision?.let { NewMove(it.id, sendable(it.legalMoves[number % it.legalMoves.size])) }
    }

fun resultOf(view: View): Result? =
    when (view) {
        is View.VerraeterWrapper -> view.value.result
        is View.KabaleWrapper -> view.value.result
        is View.InsideJobWrapper -> view.value.result
    }

/** A match as its players see it, and what was counted of it. */
class Match(val id: String, private val players: List<Player>, private val seed: Int) {
    val facts = linkedMapOf<String, String>()
    var moves = 0
    var events = 0
    private var seen = 0

    /** Read what has happened, waiting for it if it must be; tells whether the match is over. */
    fun follow(): Boolean =
        when (val page = players.first().events.listEvents(id, after = seen, limit = 100, prefer = "wait=20")) {
            is EventPage.VerraeterWrapper -> {
                page.value.items.forEach { note(it.number, toldOf(it)) }
                page.value.status != MatchStatus.playing && seen == page.value.latest
            }
            is EventPage.KabaleWrapper -> {
                page.value.items.forEach { note(it.number, toldOf(it)) }
                page.value.status != MatchStatus.playing && seen == page.value.latest
            }
            is EventPage.InsideJobWrapper -> {
                page.value.items.forEach { note(it.number, toldOf(it)) }
                page.value.status != MatchStatus.playing && seen == page.value.latest
            }
        }

    private fun note(number: Int, fact: String) {
        seen = number
        events++
        if (!fact.startsWith("event ")) {
            facts.putIfAbsent("learned", fact)
        }
    }

    /** Let everybody who is asked answer. */
    fun move() {
        for (seat in read(players.first().matches.getMatch(id)).waitingOn) {
            val view = players[seat].matches.getView(id)
            val answer = checkNotNull(answerTo(view, seed + moves)) { "seat $seat is waited for and is asked nothing" }
            facts.putIfAbsent("view", toldOfView(view))
            facts.putIfAbsent("${answer.move::class.simpleName}", toldOfMove(answer.move))
            players[seat].matches.playMove(id, answer)
            moves++
            if (moves == 1) {
                val problem = checkNotNull(problemOf { players[seat].matches.playMove(id, answer) }) { "answered twice" }
                facts["twice"] = "${problem.status} ${problem.code}"
            }
        }
    }

    /** How it ended, in words, after a look at the replay. */
    fun ending(game: String): String {
        val player = players.last()
        val result = checkNotNull(resultOf(player.matches.getView(id)))
        val (played, replayed) =
            when (val replay = player.matches.getReplay(id)) {
                is Replay.VerraeterWrapper -> replay.value.moves.size to replay.value.result
                is Replay.KabaleWrapper -> replay.value.moves.size to replay.value.result
                is Replay.InsideJobWrapper -> replay.value.moves.size to replay.value.result
            }
        check(played == moves && replayed == result) { "the replay is of another match" }
        val names =
            when (val details = player.games.getGame(GameId.valueOf(game))) {
                is GameDetails.VerraeterWrapper -> details.value.names
                is GameDetails.KabaleWrapper -> details.value.names
                is GameDetails.InsideJobWrapper -> details.value.names
            }
        return names.getValue(result.ending)
    }
}

/** The problem that something ends with, if it does. The generated client leaves it to its callers to read it. */
fun problemOf(attempt: () -> View): Problem? =
    try {
        attempt()
        null
    } catch (refused: ClientException) {
        val answer = refused.response
        val body = if (answer is ClientError<*>) answer.body else null
        if (body is String) Serializer.kotlinxSerializationJson.decodeFromString<Problem>(body) else throw refused
    }

fun main(arguments: Array<String>) {
    // What is left out is not sent as null, which the service would refuse.
    Serializer.kotlinxSerializationJsonConfiguration = { explicitNulls = false }
    val (address, game, seats, seed) = arguments
    val match = sitDown(address, newMatch(game, seats.toInt()), seats.toInt(), seed.toInt())
    while (!match.follow()) {
        match.move()
    }
    val ending = match.ending(game)
    match.facts.forEach { (name, fact) -> println("$name: $fact") }
    println("ending: $ending")
    println("played match=${match.id} game=$game moves=${match.moves} events=${match.events}")
    exitProcess(0) // the HTTP client keeps threads
}
