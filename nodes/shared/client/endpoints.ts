import type { IHttpRequestMethods } from 'n8n-workflow';

export type Surface = 'rest' | 'otp' | 'http';

export interface Endpoint {
	readonly surface: Surface;
	readonly method: IHttpRequestMethods;
	readonly path: string;
	/** Safe to repeat: costs nothing and sends nothing. */
	readonly isRead: boolean;
}

/** The specification gives a method only for `rest /send` ("Endpoints"); the others are those of public clients. */
export const endpoints = {
	send: { surface: 'rest', method: 'POST', path: '/send', isRead: false },
	sendBulk: { surface: 'rest', method: 'POST', path: '/send/bulk', isRead: false },
	listMessages: { surface: 'rest', method: 'GET', path: '/messages', isRead: true },
	getBalance: { surface: 'rest', method: 'GET', path: '/account/get-balance', isRead: true },
	requestOtp: { surface: 'otp', method: 'POST', path: '/request', isRead: false },
	verifyOtp: { surface: 'otp', method: 'POST', path: '/verify', isRead: false },
	sendByQuery: { surface: 'http', method: 'POST', path: '/send', isRead: false },
} as const satisfies Record<string, Endpoint>;
