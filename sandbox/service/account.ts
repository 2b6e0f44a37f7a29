import type { State } from '../state';
import { isDomestic } from './phoneNumber';
import { Refusal } from './refusal';

export function readBalance({ balance, settings }: State): { balance: number; currency: string } {
	return { balance, currency: settings.currency };
}

/** Price of one message part to a phone number. */
export function findPrice(state: State, number: string): number {
	const { domestic, international } = state.settings.prices;
	return isDomestic(number) ? domestic : international;
}

/** @throws Refusal 402 (the sandbox's choice) when the balance is too low */
function checkBalance({ balance }: State, amount: number): void {
	if (amount <= balance) return;
	const reason = `Insufficient balance: the price is ${amount}, the balance ${balance}.`;
	throw new Refusal(402, 'Insufficient balance.', reason);
}

/** @throws Refusal 402 when the balance is too low; nothing is deducted then */
export function deduct(state: State, amount: number): void {
	checkBalance(state, amount);
	// Rounded, so that prices such as 0.1 leave no floating-point residue.
	setBalance(state, Math.round((state.balance - amount) * 1e6) / 1e6);
}

export function setBalance(state: State, balance: number): void {
	state.balance = balance;
	state.messages.noteChange();
}

/** Sender IDs are case-sensitive (specification, Send request). */
export function isKnownSender(state: State, from: string): boolean {
	const { knownSenders, deviate } = state.settings;
	const isAny = knownSenders.length === 0 || deviate.includes('sender-unregistered');
	return isAny || knownSenders.includes(from);
}
