// SPDX-License-Identifier: GPL-2.0
/*
 * The program that the exec storm and the execve row run: nothing.
 */
int main(void)
{
	return 0;
}
