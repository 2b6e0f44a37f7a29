import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';

import { listen } from '../listen';

export interface ToolCall {
	tool: string;
	args: Record<string, unknown>;
}

/** What the model says next: the tools it calls at the same time, or its last words. */
export type Turn = ToolCall[] | string;

interface ChatMessage {
	role: string;
	content: unknown;
}

interface ChatRequest {
	messages: ChatMessage[];
	tools?: Array<{ function: { name: string; description: string; parameters: unknown } }>;
}

export interface ScriptedModel {
	/** For the option Base URL of n8n's OpenAI chat model. */
	baseUrl: string;
	/** Sets what is said in every conversation from now on, and forgets the earlier ones. */
	play(script: Turn[] | ((prompt: string) => Turn[])): void;
	/** The tools that the model was offered. */
	tools(): Array<{ name: string; description: string; parameters: unknown }>;
	/** What the tools answered in the conversation about a prompt, in the words that reached the model. */
	toolAnswers(prompt: string): string[];
	/** Everything that was ever said to the model, to search it. */
	heard(): string;
	close(): Promise<void>;
}

const promptOf = ({ messages }: ChatRequest) =>
	textOf(messages.filter(({ role }) => role === 'user').at(-1)?.content);

const textOf = (content: unknown) =>
	typeof content === 'string' ? content : JSON.stringify(content ?? '');

/** Agents may split a turn with several calls into several messages, so the answers are counted. */
function findTurn(turns: Turn[], answered: number): Turn {
	let calls = 0;
	for (const turn of turns) {
		if (calls === answered) return turn;
		calls += typeof turn === 'string' ? 0 : turn.length;
	}
	return 'The script has ended.';
}

function toMessage(turn: Turn, nextId: () => string) {
	if (typeof turn === 'string') return { role: 'assistant', content: turn };
	const calls = turn.map(({ tool, args }) => ({
		id: nextId(),
		type: 'function',
		function: { name: tool, arguments: JSON.stringify(args) },
	}));
	return { role: 'assistant', content: null, tool_calls: calls };
}

/**
 * A stand-in for the model of an AI agent: speaks as much of OpenAI's chat completions as n8n needs, and
 * follows a script.
 */
export async function startScriptedModel(): Promise<ScriptedModel> {
	let script: (prompt: string) => Turn[] = () => [];
	const requests: ChatRequest[] = [];
	let calls = 0;
	const nextId = () => `call_${(calls += 1)}`;
	const app = new Hono();
	app.post('/v1/chat/completions', async (context) => {
		const request = await context.req.json<ChatRequest>();
		requests.push(request);
		const answered = request.messages.filter(({ role }) => role === 'tool').length;
		const turn = findTurn(script(promptOf(request)), answered);
		const reason = typeof turn === 'string' ? 'stop' : 'tool_calls';
		return context.json({
			id: 'chatcmpl-1',
			object: 'chat.completion',
			created: 1_780_000_000,
			model: 'scripted',
			choices: [{ index: 0, message: toMessage(turn, nextId), finish_reason: reason }],
			usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
		});
	});
	const server = createAdaptorServer({ fetch: app.fetch });
	const { url, close } = await listen(server);
	const answersIn = ({ messages }: ChatRequest) =>
		messages.filter(({ role }) => role === 'tool').map(({ content }) => textOf(content));
	return {
		baseUrl: `${url}/v1`,
		play: (turns) => {
			script = typeof turns === 'function' ? turns : () => turns;
			requests.length = 0;
		},
		tools: () => requests[0]?.tools?.map((tool) => tool.function) ?? [],
		toolAnswers: (prompt) => {
			const answers: string[] = [];
			// As they came: agents of version 3 with several items mix up what was said in earlier turns.
			for (const request of requests.filter((candidate) => promptOf(candidate) === prompt)) {
				answers.push(...answersIn(request).slice(answers.length));
			}
			return answers;
		},
		heard: () => JSON.stringify(requests),
		close,
	};
}
