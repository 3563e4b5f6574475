;; Compares halves of codes with a question: numbers of two bits with signed bytes. README.md says
;; what for.
(module
  (import "host" "memory" (memory 1))

  ;; For each half: the sum of the products of its 1,536 numbers, each from 0 to 3, four in a byte,
  ;; with those of the question.
  (func (export "compare")
    (param $addresses i32) ;; where the addresses of the halves are, 4 bytes each
    (param $count i32)     ;; of halves, at least 1
    (param $question i32)  ;; where the question is: for every 16 bytes of a half the 16 numbers that
                           ;; meet the lowest bits of these bytes, then those of the next ones, ...
    (param $sums i32)      ;; where the results go, 4 bytes each
    (local $half i32) (local $number i32) (local $end i32)
    (local $two v128) (local $block v128) (local $few v128) (local $sum v128)

    (local.set $two (v128.const i8x16 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3))
    (local.set $end (i32.add (local.get $question) (i32.const 1536)))
    (loop $halves
      (local.set $half (i32.load (local.get $addresses)))
      (local.set $sum (v128.const i32x4 0 0 0 0))
      (local.set $number (local.get $question))

      ;; Eight blocks at a time: 32 sums of two products, each at most 127 * 3, fit 16 bits.
      (loop $blocks
        (local.set $few (v128.const i16x8 0 0 0 0 0 0 0 0))

        (local.set $block (v128.load (local.get $half)))
        (local.set $few (i16x8.add (local.get $few)
          (i16x8.relaxed_dot_i8x16_i7x16_s
            (v128.load (local.get $number))
            (v128.and (local.get $block) (local.get $two)))))
        (local.set $few (i16x8.add (local.get $few)
          (i16x8.relaxed_dot_i8x16_i7x16_s
            (v128.load offset=16 (local.get $number))
            (v128.and (i16x8.shr_u (local.get $block) (i32.const 2)) (local.get $two)))))
        (local.set $few (i16x8.add (local.get $few)
          (i16x8.relaxed_dot_i8x16_i7x16_s
            (v128.load offset=32 (local.get $number))
            (v128.and (i16x8.shr_u (local.get $block) (i32.const 4)) (local.get $two)))))
        (local.set $few (i16x8.add (local.get $few)
          (i16x8.relaxed_dot_i8x16_i7x16_s
            (v128.load offset=48 (local.get $number))
            (v128.and (i16x8.shr_u (local.get $block) (i32.const 6)) (local.get $two)))))

        (local.set $block (v128.load offset=16 (local.get $half)))
        (local.set $few (i16x8.add (local.get $few)
          (i16x8.relaxed_dot_i8x16_i7x16_s
            (v128.load offset=64 (local.get $number))
            (v128.and (local.get $block) (local.get $two)))))
        (local.set $few (i16x8.add (local.get $few)
          (i16x8.relaxed_dot_i8x16_i7x16_s
            (v128.load offset=80 (local.get $number))
            (v128.and (i16x8.shr_u (local.get $block) (i32.const 2)) (local.get $two)))))
        (local.set $few (i16x8.add (local.get $few)
          (i16x8.relaxed_dot_i8x16_i7x16_s
            (v128.load offset=96 (local.get $number))
            (v128.and (i16x8.shr_u (local.get $block) (i32.const 4)) (local.get $two)))))
        (local.set $few (i16x8.add (local.get $few)
          (i16x8.relaxed_dot_i8x16_i7x16_s
            (v128.load offset=112 (local.get $number))
            (v128.and (i16x8.shr_u (local.get $block) (i32.const 6)) (local.get $two)))))

        (local.set $block (v128.load offset=32 (local.get $half)))
        (local.set $few (i16x8.add (local.get $few)
          (i16x8.relaxed_dot_i8x16_i7x16_s
            (v128.load offset=128 (local.get $number))
            (v128.and (local.get $block) (local.get $two)))))
        (local.set $few (i16x8.add (local.get $few)
          (i16x8.relaxed_dot_i8x16_i7x16_s
            (v128.load offset=144 (local.get $number))
            (v128.and (i16x8.shr_u (local.get $block) (i32.const 2)) (local.get $two)))))
        (local.set $few (i16x8.add (local.get $few)
          (i16x8.relaxed_dot_i8x16_i7x16_s
            (v128.load offset=160 (local.get $number))
            (v128.and (i16x8.shr_u (local.get $block) (i32.const 4)) (local.get $two)))))
        (local.set $few (i16x8.add (local.get $few)
          (i16x8.relaxed_dot_i8x16_i7x16_s
            (v128.load offset=176 (local.get $number))
            (v128.and (i16x8.shr_u (local.get $block) (i32.const 6)) (local.get $two)))))

        (local.set $block (v128.load offset=48 (local.get $half)))
        (local.set $few (i16x8.add (local.get $few)
          (i16x8.relaxed_dot_i8x16_i7x16_s
            (v128.load offset=192 (local.get $number))
            (v128.and (local.get $block) (local.get $two)))))
        (local.set $few (i16x8.add (local.get $few)
          (i16x8.relaxed_dot_i8x16_i7x16_s
            (v128.load offset=208 (local.get $number))
            (v128.and (i16x8.shr_u (local.get $block) (i32.const 2)) (local.get $two)))))
        (local.set $few (i16x8.add (local.get $few)
          (i16x8.relaxed_dot_i8x16_i7x16_s
            (v128.load offset=224 (local.get $number))
            (v128.and (i16x8.shr_u (local.get $block) (i32.const 4)) (local.get $two)))))
        (local.set $few (i16x8.add (local.get $few)
          (i16x8.relaxed_dot_i8x16_i7x16_s
            (v128.load offset=240 (local.get $number))
            (v128.and (i16x8.shr_u (local.get $block) (i32.const 6)) (local.get $two)))))

        (local.set $block (v128.load offset=64 (local.get $half)))
        (local.set $few (i16x8.add (local.get $few)
          (i16x8.relaxed_dot_i8x16_i7x16_s
            (v128.load offset=256 (local.get $number))
            (v128.and (local.get $block) (local.get $two)))))
        (local.set $few (i16x8.add (local.get $few)
          (i16x8.relaxed_dot_i8x16_i7x16_s
            (v128.load offset=272 (local.get $number))
            (v128.and (i16x8.shr_u (local.get $block) (i32.const 2)) (local.get $two)))))
        (local.set $few (i16x8.add (local.get $few)
          (i16x8.relaxed_dot_i8x16_i7x16_s
            (v128.load offset=288 (local.get $number))
            (v128.and (i16x8.shr_u (local.get $block) (i32.const 4)) (local.get $two)))))
        (local.set $few (i16x8.add (local.get $few)
          (i16x8.relaxed_dot_i8x16_i7x16_s
            (v128.load offset=304 (local.get $number))
            (v128.and (i16x8.shr_u (local.get $block) (i32.const 6)) (local.get $two)))))

        (local.set $block (v128.load offset=80 (local.get $half)))
        (local.set $few (i16x8.add (local.get $few)
          (i16x8.relaxed_dot_i8x16_i7x16_s
            (v128.load offset=320 (local.get $number))
            (v128.and (local.get $block) (local.get $two)))))
        (local.set $few (i16x8.add (local.get $few)
          (i16x8.relaxed_dot_i8x16_i7x16_s
            (v128.load offset=336 (local.get $number))
            (v128.and (i16x8.shr_u (local.get $block) (i32.const 2)) (local.get $two)))))
        (local.set $few (i16x8.add (local.get $few)
          (i16x8.relaxed_dot_i8x16_i7x16_s
            (v128.load offset=352 (local.get $number))
            (v128.and (i16x8.shr_u (local.get $block) (i32.const 4)) (local.get $two)))))
        (local.set $few (i16x8.add (local.get $few)
          (i16x8.relaxed_dot_i8x16_i7x16_s
            (v128.load offset=368 (local.get $number))
            (v128.and (i16x8.shr_u (local.get $block) (i32.const 6)) (local.get $two)))))

        (local.set $block (v128.load offset=96 (local.get $half)))
        (local.set $few (i16x8.add (local.get $few)
          (i16x8.relaxed_dot_i8x16_i7x16_s
            (v128.load offset=384 (local.get $number))
            (v128.and (local.get $block) (local.get $two)))))
        (local.set $few (i16x8.add (local.get $few)
          (i16x8.relaxed_dot_i8x16_i7x16_s
            (v128.load offset=400 (local.get $number))
            (v128.and (i16x8.shr_u (local.get $block) (i32.const 2)) (local.get $two)))))
        (local.set $few (i16x8.add (local.get $few)
          (i16x8.relaxed_dot_i8x16_i7x16_s
            (v128.load offset=416 (local.get $number))
            (v128.and (i16x8.shr_u (local.get $block) (i32.const 4)) (local.get $two)))))
        (local.set $few (i16x8.add (local.get $few)
          (i16x8.relaxed_dot_i8x16_i7x16_s
            (v128.load offset=432 (local.get $number))
            (v128.and (i16x8.shr_u (local.get $block) (i32.const 6)) (local.get $two)))))

        (local.set $block (v128.load offset=112 (local.get $half)))
        (local.set $few (i16x8.add (local.get $few)
          (i16x8.relaxed_dot_i8x16_i7x16_s
            (v128.load offset=448 (local.get $number))
            (v128.and (local.get $block) (local.get $two)))))
        (local.set $few (i16x8.add (local.get $few)
          (i16x8.relaxed_dot_i8x16_i7x16_s
            (v128.load offset=464 (local.get $number))
            (v128.and (i16x8.shr_u (local.get $block) (i32.const 2)) (local.get $two)))))
        (local.set $few (i16x8.add (local.get $few)
          (i16x8.relaxed_dot_i8x16_i7x16_s
            (v128.load offset=480 (local.get $number))
            (v128.and (i16x8.shr_u (local.get $block) (i32.const 4)) (local.get $two)))))
        (local.set $few (i16x8.add (local.get $few)
          (i16x8.relaxed_dot_i8x16_i7x16_s
            (v128.load offset=496 (local.get $number))
            (v128.and (i16x8.shr_u (local.get $block) (i32.const 6)) (local.get $two)))))

        (local.set $sum
          (i32x4.add (local.get $sum) (i32x4.extadd_pairwise_i16x8_s (local.get $few))))
        (local.set $half (i32.add (local.get $half) (i32.const 128)))
        (local.set $number (i32.add (local.get $number) (i32.const 512)))
        (br_if $blocks (i32.lt_u (local.get $number) (local.get $end))))

      (i32.store (local.get $sums)
        (i32.add
          (i32.add
            (i32x4.extract_lane 0 (local.get $sum))
            (i32x4.extract_lane 1 (local.get $sum)))
          (i32.add
            (i32x4.extract_lane 2 (local.get $sum))
            (i32x4.extract_lane 3 (local.get $sum)))))

      (local.set $addresses (i32.add (local.get $addresses) (i32.const 4)))
      (local.set $sums (i32.add (local.get $sums) (i32.const 4)))
      (br_if $halves (local.tee $count (i32.sub (local.get $count) (i32.const 1)))))))
