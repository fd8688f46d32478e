# Products and quotients for a processor without such instructions. $26 holds the operand rs, $27
# the operand rt; HI and LO are words of data memory. No registers change except $1, $26 and $27.
	.bss
	.align	2
	.globl	__halfgate_ra
__halfgate_ra:	.space	4
	.globl	__halfgate_lo
__halfgate_lo:	.space	4
	.globl	__halfgate_hi
__halfgate_hi:	.space	4
saved:	.space	12
outer:	.space	20

	.text
# Multiplies as unsigned numbers. For each negative operand it subtracts the other from the upper
# half.
	.globl	__halfgate_mult
__halfgate_mult:
	sw	$31,outer
	sw	$2,outer+4
	sw	$26,outer+8
	sw	$27,outer+12
	jal	__halfgate_multu
	lw	$26,outer+8
	lw	$27,outer+12
	lw	$2,__halfgate_hi
	slt	$1,$26,$0
	beq	$1,$0,first_done
	subu	$2,$2,$27
first_done:
	slt	$1,$27,$0
	beq	$1,$0,second_done
	subu	$2,$2,$26
second_done:
	sw	$2,__halfgate_hi
	lw	$2,outer+4
	lw	$31,outer
	jr	$31

# For each bit of $27, the highest first: double the product, and add $26 if the bit is 1.
	.globl	__halfgate_multu
__halfgate_multu:
	sw	$2,saved
	sw	$3,saved+4
	sw	$4,saved+8
	move	$2,$0
	move	$3,$0
	li	$4,32
multiply_bit:
	slt	$1,$3,$0
	addu	$3,$3,$3
	addu	$2,$2,$2
	addu	$2,$2,$1
	slt	$1,$27,$0
	addu	$27,$27,$27
	beq	$1,$0,no_sum
	addu	$3,$3,$26
	sltu	$1,$3,$26
	addu	$2,$2,$1
no_sum:
	addiu	$4,$4,-1
	bne	$4,$0,multiply_bit
	b	done

# Divides magnitudes. The quotient is negative if the operands' signs differ, the remainder if $26
# is.
	.globl	__halfgate_div
__halfgate_div:
	sw	$31,outer
	sw	$2,outer+4
	sw	$26,outer+8
	sw	$27,outer+12
	slt	$1,$26,$0
	beq	$1,$0,dividend_done
	subu	$26,$0,$26
dividend_done:
	slt	$1,$27,$0
	beq	$1,$0,divisor_done
	subu	$27,$0,$27
divisor_done:
	jal	__halfgate_divu
	lw	$26,outer+8
	lw	$27,outer+12
	slt	$26,$26,$0
	slt	$27,$27,$0
	beq	$26,$0,remainder_done
	lw	$2,__halfgate_hi
	subu	$2,$0,$2
	sw	$2,__halfgate_hi
remainder_done:
	beq	$26,$27,quotient_done
	lw	$2,__halfgate_lo
	subu	$2,$0,$2
	sw	$2,__halfgate_lo
quotient_done:
	lw	$2,outer+4
	lw	$31,outer
	jr	$31

# For each bit, the highest first: $2 is the remainder; $26 loses a bit of the dividend and gains
# one of the quotient.
	.globl	__halfgate_divu
__halfgate_divu:
	sw	$2,saved
	sw	$3,saved+4
	sw	$4,saved+8
	move	$2,$0
	li	$4,32
divide_bit:
	slt	$3,$2,$0
	addu	$2,$2,$2
	slt	$1,$26,$0
	addu	$2,$2,$1
	addu	$26,$26,$26
	bne	$3,$0,subtract
	sltu	$1,$2,$27
	bne	$1,$0,no_difference
subtract:
	subu	$2,$2,$27
	addiu	$26,$26,1
no_difference:
	addiu	$4,$4,-1
	bne	$4,$0,divide_bit
	move	$3,$26
done:
	sw	$2,__halfgate_hi
	sw	$3,__halfgate_lo
	lw	$2,saved
	lw	$3,saved+4
	lw	$4,saved+8
	jr	$31
