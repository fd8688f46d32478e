# What a program begins with. The stack pointer is set when the processor starts.
	.section .text.start,"ax",@progbits
	.set	noreorder
	.globl	_start
	.ent	_start
_start:
	jal	program
	nop
	syscall
	.end	_start
