# Start code. The processor starts with the stack pointer set.
	.section .text.start,"ax",@progbits
	.set	noreorder
	.globl	_start
	.ent	_start
_start:
	jal	program
	nop
	syscall
	.end	_start
