import axios from 'axios';

export type { AxiosInstance, AxiosRequestConfig, AxiosResponse } from 'axios';

/** The HTTP client of scripts, tools and tests: they call loopback, past any proxy of the machine. */
export const httpClient = axios.create({ proxy: false });
